import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { Outbound } from '../outbound/outbound.ts'
import { type Attributes, beginSpan, type NewSpan, type Span, setTracer, traced, within } from './trace.ts'

afterEach(() => setTracer(null))

/** Records all spans as lines: `parent > name {attributes}`. */
function recordAll(): string[] {
  const lines: string[] = []
  setTracer({
    begin({ name, attributes }: NewSpan, parent): Span {
      const all: Attributes = { ...attributes }
      return {
        traceparent: name,
        set: (more) => void Object.assign(all, more),
        fail: (error) => void Object.assign(all, { failed: (error as Error).name }),
        end: () => void lines.push(`${parent} > ${name} ${JSON.stringify(all)}`),
      }
    },
  })
  return lines
}

test('a request to another service is recorded with its host and status, without its path, its query and its headers', async () => {
  const server = createServer((_request, response) => response.writeHead(204).end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const lines = recordAll()
  const request = {
    ...{ method: 'GET' as const, url: `http://127.0.0.1:${port}/people/ada@example.com?token=secret` },
    ...{ headers: { authorization: 'Bearer secret' }, timeoutMs: 10_000 },
  }
  const outbound = new Outbound({ allowPrivate: true })
  const span = beginSpan({ name: 'job', kind: 'job' }, null)!
  await within(span, () => outbound.send(request))
  server.close()
  expect(lines).toEqual([
    `job > GET 127.0.0.1:${port} {"http.request.method":"GET","server.address":"127.0.0.1:${port}","http.response.status_code":204}`,
  ])
})

test('a span that fails is recorded with the name of its error, without its message', async () => {
  const lines = recordAll()
  const span = beginSpan({ name: 'request', kind: 'server' }, null)!
  const failing = () =>
    traced(
      () => ({ name: 'read', kind: 'client' }),
      () => Promise.reject(new TypeError('ada@example.com')),
    )
  await expect(within(span, failing)).rejects.toThrow('ada@example.com')
  expect(lines).toEqual(['request > read {"failed":"TypeError"}'])
})

test('without a tracer, and outside of a recorded span, nothing is described', async () => {
  const describe = () => expect.unreachable() as never
  expect(await traced(describe, async (span) => span)).toBeNull()
  const lines = recordAll()
  expect(await traced(describe, async (span) => span)).toBeNull()
  expect(lines).toEqual([])
})
