import fc from 'fast-check';
import mongoose from 'mongoose';
import { RowReader } from '../../../../src/platform/mongo/read-rows';
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

const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.boolean(),
    fc.integer(),
    fc.double(),
    fc.maxSafeInteger(),
    fc.date({ noInvalidDate: true }),
    fc.constant(null),
    fc.constant(new BSON.ObjectId('0123456789abcdef01234567')),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string({ unit: 'grapheme' }), tie('value'), { maxKeys: 4 }),
  ),
})).value;

test('members that are wanted are read as the driver reads them, whatever else a row has', () => {
  const anyMembers = fc.dictionary(fc.constantFrom('_id', 'email', 'data', 'other', 'more', '__proto__'), anyValue);
  const wanted = ['_id', 'email', 'data'] as const;
  fc.assert(
    fc.property(fc.array(anyMembers, { minLength: 1, maxLength: 6 }), (rows) => {
      const reader = new RowReader<{ _id: unknown; email: unknown; data: unknown }>(new Set(wanted));
      for (const row of rows) {
        const bytes = Buffer.from(BSON.serialize(row));
        const whole = BSON.deserialize(bytes);
        const read = reader.read(bytes) as unknown as Record<string, unknown>;
        for (const name of wanted) expect(read[name]).toEqual(whole[name]);
      }
    }),
    { numRuns: 200 },
  );
});
