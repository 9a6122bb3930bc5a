import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

// A website with metadata documents of clients, whose answers cost as much as they may. The first step of the path says which
// answer comes. It runs in a thread, so that it does not delay the neighbor's client. The thread sends its address.

const { key, certificate } = workerData as { key: string; certificate: string }
/** The server reads at most 5 KiB. */
const largeBytes = 4_900

const server = createServer({ key, cert: certificate }, ({ url = '', headers }, response) => {
  const [, kind = ''] = url.split('/')
  const document = {
    ...{ client_id: `https://${headers.host}${url}`, client_name: 'Flood' },
    ...{ redirect_uris: ['https://app.example/callback'], token_endpoint_auth_method: 'none' },
  }
  if (kind === 'silent') return
  if (kind === 'redirecting') return void response.writeHead(302, { location: `${url}/more` }).end()
  response.writeHead(200, { 'content-type': 'application/json' })
  if (kind === 'slow') return drip(response, JSON.stringify(document))
  const text = JSON.stringify(document)
  if (kind !== 'large') return void response.end(text)
  const uris = Array.from({ length: largeBytes / 17 - 20 }, (_, at) => `"https://a/${1_000 + at}"`)
  response.end(text.replace('/callback"', `/callback",${uris}`))
})

/** Sends a byte every 20 ms: a document of 200 bytes takes 4 s. */
function drip(
  response: { write: (text: string) => void; end: () => void; destroyed: boolean },
  text: string,
): void {
  let at = 0
  const timer = setInterval(() => {
    if (response.destroyed || at >= text.length) {
      clearInterval(timer)
      response.end()
    } else response.write(text.charAt(at++))
  }, 20)
}

server.listen(0, '127.0.0.1', () =>
  parentPort!.postMessage(`https://localhost:${(server.address() as AddressInfo).port}`),
)
