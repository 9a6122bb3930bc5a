/** Calls `next` with the value, or with the result of a promise. Most requests need no promise, which is faster. */
export function thenMaybeSync<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}
