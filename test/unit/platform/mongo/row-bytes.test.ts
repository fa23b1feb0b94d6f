import fc from 'fast-check';
import mongoose from 'mongoose';
import { RowBytes, sharedMembers } from '../../../../src/platform/mongo/row-bytes';

const { BSON } = mongoose.mongo;

const anyRow = fc.record({
  _id: fc.string({ unit: 'binary' }),
  at: fc.date({ noInvalidDate: true }),
  inner: fc.record({ to: fc.string({ unit: 'grapheme', maxLength: 400 }) }),
});

test('rows that share members are what the driver would make of each', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { minLength: 1, maxLength: 20 }), (rows) => {
      const shared = { status: 'sent', count: 3, nothing: undefined, attempt: { id: 'att_1', at: new Date(0) } };
      const members = sharedMembers(shared);
      const out = new RowBytes(Buffer.alloc(8));
      for (const { _id, at, inner } of rows)
        out.begin().text('_id', _id).shared(members).begin('inner').text('to', inner.to).end().instant('at', at.getTime()).end();
      expect(out.count).toBe(rows.length);
      rows.forEach(({ _id, at, inner }, index) => {
        const { nothing: _nothing, ...said } = shared;
        expect(out.rows(index, index + 1)).toEqual(Buffer.from(BSON.serialize({ _id, ...said, inner, at })));
      });
      expect(out.rows(0, rows.length)).toHaveLength(out.ends.at(-1) ?? 0);
    }),
  );
});
