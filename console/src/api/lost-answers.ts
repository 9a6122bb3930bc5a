import { ApiError, CrosswalkError } from '../../../sdk/src/errors.ts'
import { isUncertain } from '../../../sdk/src/retry.ts'
import { failureOf, newKey, type SdkRequest, Transport } from '../../../sdk/src/transport.ts'

/** For how long the same request counts as another try. Later, the person may want a second object, scan or replay. */
const sameMs = 5 * 60_000

/**
 * Requests that make something new: their path ends with the name of a collection, or they make a new secret. Other
 * requests set a state, so that a second one does no harm.
 */
const makesSomething = /\/([\w-]*[^s]s|rotate|rotate-secret|replay)$/

/** The idempotency keys of requests whose answer was lost. */
const lost = new Map<string, { key: string; until: number }>()

/** Until when an object that is not found was perhaps removed by a request whose answer was lost. */
const perhapsRemoved = new Map<string, number>()

/** The organization and the mode of requests, and whether the person sees only some of the records. */
export type RequestScope = { name: string; isLimited: boolean }

/**
 * If the answer to a request that makes something was lost, the same request is sent with the same idempotency key. So
 * a second press of the button makes nothing twice, and shows the secret of the first try. If the answer to a deletion was
 * lost, a second press that finds no object is a success.
 */
export class RepeatingTransport extends Transport {
  readonly #scope: RequestScope

  constructor(scope: RequestScope, ...rest: ConstructorParameters<typeof Transport>) {
    super(...rest)
    this.#scope = scope
  }

  override async send(asked: SdkRequest): ReturnType<Transport['send']> {
    const { method, path, query, body, options } = asked
    // After a deletion, the person may want the same object again.
    if (method === 'DELETE') lost.clear()
    if (deletes(asked)) return this.#remove(asked)
    if (method !== 'POST' || options.idempotencyKey !== undefined || !makesSomething.test(path))
      return super.send(asked)
    const name = JSON.stringify([this.#scope.name, path, query, body])
    const known = lost.get(name)
    const idempotencyKey = known && known.until > Date.now() ? known.key : newKey()
    try {
      const answer = await super.send({ ...asked, options: { ...options, idempotencyKey } })
      lost.delete(name)
      return answer
    } catch (error) {
      if (!(error instanceof CrosswalkError)) throw error
      const failure = failureOf(error)
      if (isUncertain(failure))
        lost.set(
          name,
          known?.key === idempotencyKey ? known : { key: idempotencyKey, until: Date.now() + sameMs },
        )
      else if (isStored(failure)) lost.delete(name)
      throw error
    }
  }

  /**
   * Another person may have removed the object. The person wanted it gone, and it is gone. But a person who sees only some
   * records gets the same 404 for the note or task of a record that somebody else owns now, and that still exists.
   */
  async #remove(asked: SdkRequest): ReturnType<Transport['send']> {
    const name = JSON.stringify([this.#scope.name, asked.method, asked.path])
    try {
      const answer = await super.send(asked)
      perhapsRemoved.delete(name)
      return answer
    } catch (error) {
      if (error instanceof CrosswalkError && isUncertain(failureOf(error)))
        perhapsRemoved.set(name, Date.now() + sameMs)
      const isGone = !this.#scope.isLimited || (perhapsRemoved.get(name) ?? 0) > Date.now()
      if (isGone && error instanceof ApiError && error.code === 'object_not_found') return removedBefore()
      throw error
    }
  }
}

/** Whether the request removes an object, and its caller uses no answer: then it is a success if the object is gone. */
const deletes = ({ method, path, shape }: SdkRequest) =>
  method === 'DELETE' ? shape === 'none' : method === 'POST' && path.endsWith('/erase')

const removedBefore = (): Awaited<ReturnType<Transport['send']>> => ({
  data: undefined,
  requestId: null,
  replayed: true,
  response: new Response(null, { status: 204 }),
})

/** Whether the server stored the refusal, so that the same idempotency key would get it again. */
const isStored = ({ status, retryAfter }: ReturnType<typeof failureOf>): boolean =>
  status === 404 || (status === 409 && retryAfter === null)
