import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { certificateIn } from './own-postgres.ts'

export type DocumentAnswer =
  | { status?: number; headers?: Record<string, string>; body?: string }
  | 'silent'
  | 'held'

/** A website with metadata documents of clients, whose certificate this process trusts until it closes. */
export class ClientDocuments {
  readonly #folder = mkdtempSync(join(tmpdir(), 'crosswalk-tls-'))
  readonly #answers = new Map<string, DocumentAnswer>()
  readonly #trusted = getCACertificates('default')
  readonly #server: Server
  /** The paths that were asked for. */
  readonly asked: string[] = []
  address = ''
  readonly #released = Promise.withResolvers<void>()
  #heldNow = 0
  /** The maximum number of held documents that were asked for at once. */
  heldMost = 0

  constructor() {
    const file = certificateIn(this.#folder)
    if (file === null) throw new Error('openssl is not installed')
    const certificate = readFileSync(file, 'utf8')
    setDefaultCACertificates([...this.#trusted, certificate])
    this.#server = createServer(
      { key: readFileSync(join(this.#folder, 'key')), cert: certificate },
      ({ url = '' }, response) => {
        this.asked.push(url)
        const answer = this.#answers.get(url) ?? { status: 404 }
        if (answer === 'silent') return
        if (answer === 'held') {
          this.heldMost = Math.max(this.heldMost, ++this.#heldNow)
          response.on('close', () => this.#heldNow--)
          this.#released.promise.then(() => response.writeHead(404).end())
          return
        }
        const { status = 200, headers = {}, body } = answer
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
      },
    )
  }

  async start(): Promise<this> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    this.address = `https://localhost:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  /** The client id of a new document. Returns the answer that `make` returns for its usual content. */
  publish(name: string, make: (document: Record<string, unknown>) => DocumentAnswer): string {
    const clientId = `${this.address}/${name}`
    const document = {
      ...{ client_id: clientId, client_name: 'Documented', redirect_uris: ['https://app.example/callback'] },
      ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
      token_endpoint_auth_method: 'none',
    }
    this.#answers.set(`/${name}`, make(document))
    return clientId
  }

  /** Answers the requests for held documents: they do not exist. */
  release(): void {
    this.#released.resolve()
  }

  async close(): Promise<void> {
    setDefaultCACertificates(this.#trusted)
    this.#server.closeAllConnections()
    this.#server.close()
    await rm(this.#folder, { recursive: true })
  }
}
