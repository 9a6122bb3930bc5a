import { randomUUID } from 'node:crypto'
import { endpoints } from '../../src/api.ts'
import { pick, type Random } from '../../src/demo/random.ts'
import type { NewKey } from '../../src/keys/keys.ts'
import { linkOrgs, setCeilings } from '../../src/orgs/operator.ts'
import { type TestApp, TestClient, type TestOrg } from '../support/app.ts'
import { parameterKindsOf } from '../support/path-kinds.ts'
import { makeObject } from '../support/walk.ts'

/** The sender of a request: a key, with headers for the org to act on. */
export type Caller = {
  name: string
  token: string
  orgId: string
  mode: 'live' | 'test'
  /** The permissions of the key; null: all. */
  permissions: readonly string[] | null
  /** An agency key that acts on its own org. */
  isAgency: boolean
  headers: [string, string][]
}

/** The marker in every text of an org that no caller acts for. Answers to other orgs must not contain it. */
export const marker = `planted-${randomUUID()}`
/** The marker in credentials. No answer may contain it. */
export const secretMarker = `hidden-${randomUUID()}`

/** The kind of object by field name, if the names differ. */
const kindOfField: Record<string, string> = {
  object_id: 'contact_id',
  survivor_id: 'contact_id',
  loser_ids: 'contact_id',
  record_id: 'contact_id',
  contact_ids: 'contact_id',
  field_choices: 'contact_id',
  id: 'merge_id',
}

const poolMax = 40

export class World {
  readonly callers: Caller[] = []
  readonly kinds: readonly string[] = [
    ...new Set([
      ...endpoints.flatMap((endpoint) => parameterKindsOf(endpoint).map(([, kind]) => kind)),
      'contact_id',
    ]),
  ]
  readonly #pools = new Map<string, Map<string, string[]>>()
  home!: TestOrg
  client!: TestOrg
  victim!: TestOrg
  readonly #app: TestApp
  readonly #address: string

  /** @param address of the tested server. `app` creates orgs and keys in its database */
  static async create(app: TestApp, address: string, objects: number): Promise<World> {
    const world = new World(app, address)
    await world.#fill(objects)
    return world
  }

  private constructor(app: TestApp, address: string) {
    this.#app = app
    this.#address = address
  }

  /** An id of a kind in the caller's org, if there is one. */
  own(orgId: string, kind: string, random: Random): string {
    const pool = this.#pools.get(orgId)?.get(kindOfField[kind] ?? kind) ?? []
    return pool.length > 0 ? pick(random, pool) : randomUUID()
  }

  foreign(kind: string, random: Random): string {
    return this.own(this.victim.orgId, kind, random)
  }

  isKind(field: string): boolean {
    return field in kindOfField || this.kinds.includes(field)
  }

  learn(orgId: string, body: unknown, random: Random): void {
    const data = (body as { data?: unknown } | null)?.data ?? body
    if (typeof data !== 'object' || data === null) return
    for (const [name, value] of Object.entries(data)) {
      if (!this.kinds.includes(name) || (typeof value !== 'string' && typeof value !== 'number')) continue
      const pool = this.#pool(orgId, name)
      if (pool.length < poolMax) pool.push(String(value))
      else pool[Math.floor(random() * poolMax)] = String(value)
    }
  }

  left(orgId: string, kind: string): number {
    return this.#pool(orgId, kind).length
  }

  forget(orgId: string, kind: string, id: string): void {
    const pool = this.#pool(orgId, kind)
    const at = pool.indexOf(id)
    if (at >= 0) pool.splice(at, 1)
  }

  /** All API keys. No answer and no log may contain them. */
  get tokens(): string[] {
    return [...this.callers.map(({ token }) => token), this.victim.token!]
  }

  /** A new agency with very high rate limits, and a client for the server. */
  async newOrg(): Promise<TestOrg> {
    const org = await this.#app.newOrg({ isAgency: true, key: { isAgency: true } })
    await this.#app.operate((tx) => setCeilings(tx, org.orgId, { perSecond: 100_000, perMinute: 100_000 }))
    return this.toServer(org)
  }

  /** A client with the same key for the tested server. */
  toServer(org: TestOrg): TestOrg {
    return Object.assign(new TestClient(this.#address, org.token), {
      orgId: org.orgId,
      apiKeyId: org.apiKeyId,
      newAgency: async () => this.toServer(await org.newAgency()),
      newConnectedApp: org.newConnectedApp,
    })
  }

  #pool(orgId: string, kind: string): string[] {
    const ofOrg = this.#pools.get(orgId) ?? new Map<string, string[]>()
    this.#pools.set(orgId, ofOrg)
    const pool = ofOrg.get(kind) ?? []
    ofOrg.set(kind, pool)
    return pool
  }

  async #fill(objects: number): Promise<void> {
    const [home, client, victim] = [await this.newOrg(), await this.newOrg(), await this.newOrg()]
    Object.assign(this, { home, client, victim })
    await this.#app.operate((tx) => linkOrgs(tx, home.orgId, client.orgId))
    await this.#addCallers()
    for (const kind of this.kinds) {
      for (let made = 0; made < objects; made++)
        for (const org of made === 0 ? [home, client, victim] : [home])
          this.#pool(org.orgId, kind).push(await makeObject(kind, org))
    }
    await this.#plant(victim)
  }

  async #addCallers(): Promise<void> {
    const add = async (name: string, orgId: string, key: Partial<NewKey>, target?: string) => {
      const { token } = await this.#app.newKey(orgId, key)
      this.callers.push({
        name,
        token: token!,
        orgId: target ?? orgId,
        mode: key.mode ?? 'live',
        permissions: key.permissions ?? null,
        isAgency: key.isAgency === true && target === undefined,
        headers: target ? [['x-target-org-id', target]] : [],
      })
    }
    const { orgId: home } = this.home
    const { orgId: client } = this.client
    const readOnly = [
      'contacts:read',
      'deals:read',
      'voice:read',
      'signatures:read',
      'crm:read',
      'events:read',
    ]
    await add('live', home, { isAgency: true })
    await add('test', home, { isAgency: true, mode: 'test' })
    await add('agency for a client', home, { isAgency: true }, client)
    await add('client', client, {})
    await add('reads some', home, { permissions: readOnly })
    await add('contacts alone', home, { permissions: ['contacts:*'], mode: 'test' })
  }

  /** Creates one object of each kind in an org, with the marker in each text. */
  async #plant(org: TestOrg): Promise<void> {
    const text = marker
    const person = {
      first_name: text,
      last_name: text,
      job_title: text,
      city: text,
      tags: [text],
      custom: { text },
    }
    const bodies: [string, object][] = [
      ['/contacts', { ...person, email: `${text}@example.com`, external_ids: { crm: text }, source: text }],
      [
        '/companies',
        { name: text, city: text, industry: text, tags: [text], custom: { text }, domain: `${text}.example` },
      ],
      ['/deals', { name: text, tags: [text], custom: { text }, owner_email: `${text}@example.com` }],
      ['/deals/close-reasons', { label: text }],
      ['/personas', { name: text, instructions: text, greeting: text, description: text, role_title: text }],
      ['/voice/numbers', { number: '+14155550999', label: text, provider_ref: text }],
      ['/signatures/templates', { name: text, html: `<b>${text}</b>` }],
      ['/signatures/mailboxes', { email: `${text}@example.com`, display_name: text, fields: { text } }],
      [
        '/integrations/crm-sync/connections',
        { provider: 'hubspot', name: text, credentials: { access_token: secretMarker } },
      ],
      ['/contacts/imports', { csv: `first_name,email\n${text},broken\n`, file_name: text }],
      ['/api-keys', { name: text }],
    ]
    for (const [path, body] of bodies) await expectMade(await org.post(path, body))
    await expectMade(await org.patch('/organization', { name: text }))
    const credentials = { account_sid: `AC${'0'.repeat(32)}`, auth_token: secretMarker }
    await expectMade(await org.patch('/voice/settings', { provider: 'twilio', credentials }))
  }
}

async function expectMade({ status, text }: { status: number; text: string }): Promise<void> {
  if (status >= 300) throw new Error(`The world cannot be made: ${status} ${text}`)
}
