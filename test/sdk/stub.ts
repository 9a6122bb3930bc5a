import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ClientOptions, Crosswalk } from '../../sdk/src/main.ts'

/** A well-formed key that no server knows. */
export const someKey = `svc_live_${'k'.repeat(40)}`

export function clientOf(
  { address, token }: { address: string; token: string | null },
  options: Partial<ClientOptions> = {},
): Crosswalk {
  return new Crosswalk({ apiKey: token ?? '', baseUrl: address, ...options })
}

const closing: (() => void)[] = []

/** A client of a server that answers with `listener`. */
export async function clientOfStub(
  listener: RequestListener,
  options: Partial<ClientOptions> = {},
): Promise<Crosswalk> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return clientOf({ address: `http://127.0.0.1:${port}`, token: someKey }, options)
}

export function closeStubs(): void {
  for (const close of closing.splice(0)) close()
}

export const json =
  (status: number, body: unknown, headers: Record<string, string | number> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
