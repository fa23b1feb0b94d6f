/** Returns a function that works something out when it is first called, and gives the same from then on: for tables that not every process needs. */
export function lazily<Value extends object>(workOut: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= workOut());
}
