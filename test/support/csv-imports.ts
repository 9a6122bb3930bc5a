import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Answer, Options, TestApp, TestClient } from './app.ts'
import { runAsOwner } from './database.ts'

type Where = {
  entity?: 'contacts' | 'companies'
  mapping?: object
  fileName?: string
  query?: Record<string, string>
} & Options

export function uploadCsv(org: TestClient, csv: string | Uint8Array, where: Where = {}): Promise<Answer> {
  const { entity = 'contacts', mapping, fileName, query: more, headers, ...options } = where
  const query = new URLSearchParams({
    ...(mapping ? { mapping: JSON.stringify(mapping) } : {}),
    ...(fileName === undefined ? {} : { file_name: fileName }),
    ...more,
  })
  return org.send('POST', `/${entity}/imports?${query}`, {
    raw: Buffer.from(csv),
    headers: { 'content-type': 'text/csv', ...headers },
    ...options,
  })
}

// biome-ignore lint/suspicious/noExplicitAny: tests read the answer, and assert its shape
export async function untilEnded(org: TestClient, importId: string, options?: Options): Promise<any> {
  for (;;) {
    const { status, body, text } = await org.get(`/imports/${importId}`, options)
    expect(status, text).toBe(200)
    if (/^(succeeded|failed|canceled|reverted)$/.test(body.data.status)) return body.data
    await delay(20)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read the answer, and assert its shape
export async function importCsv(org: TestClient, csv: string | Uint8Array, where: Where = {}): Promise<any> {
  const { status, body } = await uploadCsv(org, csv, where)
  expect(status).toBe(202)
  return untilEnded(org, body.data.import_id, { headers: where.headers ?? {} })
}

export async function importCounts(
  app: TestApp,
): Promise<{ imports: number; pieces: number; events: number }> {
  const [row] = await runAsOwner<{ imports: number; pieces: number; events: number }>(
    app.databaseUrl,
    `select (select count(*)::int from import) as imports, (select count(*)::int from import_piece) as pieces,
      (select count(*)::int from event where type like 'import.%') as events`,
  )
  return row!
}

/** Sends a body until the server stops reading. Returns the answer and the number of bytes read. */
export async function streamCsv(
  org: TestClient,
  chunks: Iterable<Uint8Array>,
): Promise<{ status: number; text: string; sent: number }> {
  const sending = request(`${org.address}/api/v1/contacts/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${org.token}`, 'content-type': 'text/csv' },
  })
  let answer: IncomingMessage | undefined
  const answered = once(sending, 'response').then(([response]) => {
    answer = response as IncomingMessage
    return answer
  })
  let sent = 0
  for (const chunk of chunks) {
    if (answer) break
    sent += chunk.length
    if (!sending.write(chunk)) await Promise.race([once(sending, 'drain'), answered])
  }
  const response = await answered
  const whole = await text(response)
  sending.destroy()
  return { status: response.statusCode!, text: whole, sent }
}
