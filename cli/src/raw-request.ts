import type { Context } from './context.ts'
import { exitCodes, Failure, temporaryStatuses, UsageError } from './exit.ts'
import { visible, withoutSecrets } from './output/visible.ts'

/** Returns the address of the server without the path of the API. @throws UsageError */
export function serverAddress(baseUrl: string): string {
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new UsageError(
      `The base URL must be an address such as https://crosswalk.example.com, not "${baseUrl}".`,
    )
  return baseUrl.replace(/\/+$/, '').replace(/\/(api\/)?v1$/, '')
}

/**
 * Sends a request with the API key of the context, once.
 * @throws Failure without an answer
 */
export async function rawRequest(context: Context, url: string, init: RequestInit): Promise<Response> {
  const { access, io } = context
  const headers = new Headers(init.headers)
  try {
    headers.set('authorization', `Bearer ${access.key()}`)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new UsageError(
      'The API key has a character that no valid key has. Copy the whole key, on one line.',
    )
  }
  if (access.targetOrg !== null) headers.set('x-target-org-id', access.targetOrg)
  try {
    return await fetch(url, { redirect: 'manual', signal: io.signal, ...init, headers })
  } catch (error) {
    if (io.signal.aborted) throw error
    const { message, cause } = error as Error
    const why = (cause as Error | undefined)?.message || message
    throw new Failure(`No answer from ${visible(url)}: ${withoutSecrets(why)}`, exitCodes.unavailable)
  }
}

/** Returns the exit code for a status of the API. */
export function exitCodeOfStatus(status: number): number {
  if (status < 300) return exitCodes.done
  if (status === 401 || status === 403) return exitCodes.notAllowed
  if (status === 404) return exitCodes.notFound
  return temporaryStatuses.includes(status) ? exitCodes.unavailable : exitCodes.refused
}
