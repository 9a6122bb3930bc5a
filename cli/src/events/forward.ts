import { signWebhook } from '../../../sdk/src/webhooks.ts'
import { UsageError } from '../exit.ts'
import { version } from '../generated/version.ts'
import type { Style } from '../output/style.ts'
import { visible } from '../output/visible.ts'

export type Delivered = { status: number | null; error: string | null; duration_ms: number }

const timeoutMs = 30_000
/** A program that restarts refuses connections for a moment. */
const retryMs = 300
const retriesMax = 20

/**
 * @param typed an address, with or without `http://`, or only a port
 * @throws UsageError
 */
export function receiverAddress(typed: string): string {
  const place = /^\d+$/.test(typed) ? `localhost:${typed}` : typed
  const address = /^https?:\/\//i.test(place) ? place : `http://${place}`
  if (!URL.canParse(address))
    throw new UsageError(`--forward-to must be an address such as localhost:3000/hook, not "${typed}".`)
  return address
}

/** Signs a message as Crosswalk does, and posts it. Repeats while nothing listens at the address, for 6 s. */
export async function forward(
  address: string,
  secret: string,
  id: string,
  message: object,
  signal: AbortSignal,
): Promise<Delivered> {
  const body = JSON.stringify(message)
  const startedAt = performance.now()
  const took = () => Math.round(performance.now() - startedAt)
  let last: string | null = null
  for (let retries = 0; ; retries++) {
    const headers = {
      'content-type': 'application/json',
      'user-agent': `Crosswalk/${version} (crosswalk listen)`,
      'crosswalk-attempt': String(retries + 1),
      ...(await signWebhook(body, secret, { id })),
    }
    try {
      const answer = await fetch(address, {
        ...{ method: 'POST', headers, body, redirect: 'manual' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      await answer.body?.cancel()
      return { status: answer.status, error: null, duration_ms: took() }
    } catch (error) {
      const code: string = signal.aborted ? (last ?? 'interrupted') : codeOf(error)
      if (signal.aborted || code !== 'ECONNREFUSED' || retries === retriesMax)
        return { status: null, error: code, duration_ms: took() }
      last = code
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}

/** Returns whether the program accepted the message. */
export const isAccepted = ({ status }: Delivered): boolean => status !== null && status < 300

/** The line that shows people what the program answered. */
export function answerLine(delivered: Delivered, style: Style): string {
  const outcome = visible(String(delivered.status ?? delivered.error))
  return `<-- ${isAccepted(delivered) ? style.green(outcome) : style.red(outcome)} ${delivered.duration_ms} ms`
}

function codeOf(error: unknown): string {
  const { cause, name, message } = error as Error
  const { code, errors } = Object(cause) as { code?: unknown; errors?: { code?: string }[] }
  return String(code ?? errors?.[0]?.code ?? (name === 'TimeoutError' ? 'no answer within 30 s' : message))
}
