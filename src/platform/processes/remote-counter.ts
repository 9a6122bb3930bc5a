import type { Handlers } from './channel.ts'

/** The methods of a counter that may be in another process. */
export type Remote<Counter> = {
  [Method in keyof Counter]: Counter[Method] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Result | Promise<Awaited<Result>>
    : never
}

type Methods = Record<string, (...args: never[]) => unknown>

/** Calls a function of the supervisor. Rejects if it does not answer. */
export type AskSupervisor = (name: string, args: readonly unknown[]) => Promise<unknown>

/** The handlers with which a supervisor counts for its processes. @param methods the methods that the processes may call */
export function handlersOf<Counter extends object>(
  name: string,
  counter: Counter,
  methods: readonly (keyof Counter & string)[],
): Handlers {
  const own = counter as unknown as Methods
  return Object.fromEntries(
    methods.map((method) => [`${name}.${method}`, (...args: never[]) => own[method]?.(...args)]),
  )
}

/** A counter of the supervisor. While the supervisor does not answer, `own` counts. */
export function remoteCounter<Counter extends object>(
  ask: AskSupervisor,
  name: string,
  own: Counter,
  methods: readonly (keyof Counter & string)[],
): Remote<Counter> {
  const counter = own as unknown as Methods
  return Object.fromEntries(
    methods.map((method) => [
      method,
      (...args: never[]) => ask(`${name}.${method}`, args).catch(() => counter[method]?.(...args)),
    ]),
  ) as Remote<Counter>
}
