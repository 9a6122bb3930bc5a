import { type Demand, showDemand } from './demands.ts'

const timeoutMs = 30_000

/**
 * Adds the questions of the API to a `fetch`. If the session has ended, or the request needs a confirmation, it asks
 * the person and sends the request again with the same Idempotency-Key. So nothing that was typed is lost.
 */
export const guarded =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    for (;;) {
      const response = await send(input, init)
      const demand = await demandOf(response)
      if (!demand || !(await showDemand(demand))) return response
    }
  }

/** `fetch` for the API. Each try may take 30 seconds. */
export const guardedFetch: typeof fetch = guarded((input, init) => {
  const signals = [AbortSignal.timeout(timeoutMs), init?.signal ?? []].flat()
  return fetch(input, { ...init, signal: AbortSignal.any(signals) })
})

async function demandOf(response: Response): Promise<Demand | null> {
  if (response.status !== 401 && response.status !== 403) return null
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const { code, confirm } = Object(body) as { code?: unknown; confirm?: unknown }
  if (code === 'session_ended') return { kind: 'sign-in' }
  if (code === 'confirmation_required' && Array.isArray(confirm)) return { kind: 'confirm', ways: confirm }
  return null
}
