import type { Crosswalk } from '../../../sdk/src/main.ts'
import type { Context } from '../context.ts'
import type { Values } from '../flag.ts'
import { write } from '../io.ts'
import { jsonOf, visible } from '../output/visible.ts'
import type { Operation } from './operation.ts'

/** Returns whether the command only prints its request. If the operation itself has a dry run, the request is sent. */
export const printsOnly = ({ query, body }: Operation, values: Values): boolean =>
  values['dry-run'] === true && ![...query, ...(body ?? [])].some(({ name }) => name === 'dry_run')

/** Prints the request that `call` would send, without its key. */
export async function printRequest(context: Context, call: (client: Crosswalk) => unknown): Promise<void> {
  let sent: { url: string; init: RequestInit } | null = null
  const client = context.client({
    // A dry run needs no API key, and sends no request.
    apiKey: 'svc_test_none',
    maxRetries: 0,
    fetch: (url, init = {}) => {
      sent = { url: String(url), init }
      return Promise.reject(new Error('dry run'))
    },
  })
  await Promise.resolve(call(client)).catch((error) => {
    if (sent === null) throw error
  })
  if (sent === null) return
  const { url, init } = sent as { url: string; init: RequestInit }
  const headers = new Headers(init.headers)
  for (const name of ['authorization', 'user-agent', 'idempotency-key']) headers.delete(name)
  const lines = [
    `${init.method} ${visible(url)}`,
    ...[...headers].map(([name, value]) => `${name}: ${visible(value)}`),
    ...(typeof init.body === 'string' ? ['', jsonOf(JSON.parse(init.body), 2)] : []),
    ...(init.body && typeof init.body !== 'string' ? ['', '(the file)'] : []),
  ]
  await write(context.io.stdout, `${lines.join('\n')}\n`)
}
