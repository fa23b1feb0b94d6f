import { Progress } from '../src/progress';

function terminal(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, write: (text: string) => written.push(text), shown: () => written.join('').split('\r\u001b[2K').slice(1) };
}

test('one line of a terminal says what is waited for, and is cleared', async () => {
  const screen = terminal(true);
  const progress = new Progress(screen);
  const ends: (() => void)[] = [];
  const part = (name: string) => progress.during(name, new Promise<void>((resolve) => ends.push(resolve)));
  const parts = [part('mongod'), part('temporal')];
  ends[0]?.();
  await parts[0];
  expect(screen.shown()).toEqual([
    'Starting Lettermill: mongod …\r',
    'Starting Lettermill: mongod; temporal …\r',
    'Starting Lettermill: temporal …\r',
  ]);
  ends[1]?.();
  await parts[1];
  progress.clear();
  expect(screen.shown().at(-1)).toBe('');
});

test('a part that fails is waited for no longer, and its failure is passed on', async () => {
  const screen = terminal(true);
  const progress = new Progress(screen);
  await expect(progress.during('mongod', Promise.reject(new Error('no room')))).rejects.toThrow('no room');
  progress.clear();
  expect(screen.shown().at(-1)).toBe('');
});

test('a part says how far it is for as long as it is waited for, in a line that does not wrap', async () => {
  const screen = { ...terminal(true), columns: 40 };
  const progress = new Progress(screen);
  const ends: (() => void)[] = [];
  const part = progress.during('Temporal', new Promise<void>((resolve) => ends.push(resolve)));
  const tell = progress.teller('Temporal');
  tell?.('compiling, 12 s');
  tell?.('a text that is longer than the terminal is wide');
  expect(screen.shown().slice(1)).toEqual(['Starting Lettermill: compiling, 12 s …\r', 'Starting Lettermill: a text that is lon\r']);
  ends[0]?.();
  await part;
  tell?.('late');
  expect(screen.shown()).toHaveLength(3);
});

test('progress writes nothing without a terminal', async () => {
  const file = terminal(false);
  const progress = new Progress(file);
  await progress.during('mongod', Promise.resolve());
  progress.clear();
  expect([file.shown(), progress.teller('mongod')]).toEqual([[], undefined]);
});
