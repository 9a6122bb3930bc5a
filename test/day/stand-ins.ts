import type { Environment } from '../support/processes.ts'
import { EspoStandIn } from '../support/stand-ins/espocrm.ts'
import { HubSpotStandIn } from '../support/stand-ins/hubspot.ts'
import { SalesforceStandIn } from '../support/stand-ins/salesforce.ts'
import { VapiStandIn } from '../support/stand-ins/vapi.ts'
import { ActorClient } from './actions/action.ts'
import type { Audited, AuditResult } from './audit/audited.ts'
import { newNonce } from './dice.ts'
import type { Actor } from './orgs.ts'
import type { Requests } from './requests.ts'

/** Stand-ins for other services, which count their requests. */
export class DayStandIns {
  readonly vapi: VapiStandIn
  readonly espo: EspoStandIn
  readonly hubspot: HubSpotStandIn
  readonly salesforce: SalesforceStandIn
  /** The number of records named `Lead <contact_id>` and `Contact <contact_id>`, by connection. */
  readonly #keys = new Map<string, () => string[]>()
  readonly #clock: NodeJS.Timeout

  static async start(): Promise<DayStandIns> {
    return new DayStandIns(
      await VapiStandIn.start(),
      await EspoStandIn.start(),
      await HubSpotStandIn.start(),
      await SalesforceStandIn.start(),
    )
  }

  private constructor(
    vapi: VapiStandIn,
    espo: EspoStandIn,
    hubspot: HubSpotStandIn,
    salesforce: SalesforceStandIn,
  ) {
    this.vapi = vapi
    this.espo = espo
    this.hubspot = hubspot
    this.salesforce = salesforce
    let isAdvancing = false
    this.#clock = setInterval(async () => {
      // Do not overlap: each turn sends all callbacks that are due.
      if (isAdvancing) return
      isAdvancing = true
      await vapi.calls.advance(Math.max(Date.now() - vapi.calls.now, 0))
      isAdvancing = false
    }, 250)
    for (const { server } of [vapi, espo, hubspot, salesforce]) server.delayMs = () => Math.random() * 20
  }

  get settings(): Environment {
    return {
      ...{ OUTBOUND_ALLOW_PRIVATE: '1', VAPI_API_URL: this.vapi.server.url },
      ...{ HUBSPOT_API_URL: this.hubspot.server.url, SALESFORCE_LOGIN_URL: this.salesforce.server.url },
    }
  }

  /** Connects some organizations to the stand-ins, and sets a few to mode `auto`. */
  async equip(actors: readonly Actor[], requests: Requests): Promise<void> {
    const clients = actors.map((actor) => new ActorClient(actor, requests))
    const portal = this.hubspot.newPortal()
    const { org, credentials } = this.salesforce.newOrg()
    await this.#connect(clients[0]!, 'espocrm', this.espo.credentials, () =>
      ['Lead', 'Contact'].flatMap((kind) => this.espo.all(kind).map((row) => `${kind} ${row.crosswalkId}`)),
    )
    await this.#connect(clients[1]!, 'hubspot', { access_token: portal.token }, () =>
      [...portal.records.contacts.values()].map(({ properties }) => `Contact ${properties.crosswalk_id}`),
    )
    await this.#connect(clients[2]!, 'salesforce', credentials, () =>
      ['Lead', 'Contact'].flatMap((kind) =>
        org.records[kind]!.map((row) => `${kind} ${row.Crosswalk_Id__c}`),
      ),
    )
    const { apiKey: api_key, assistantId: assistant_id, phoneNumberId: phone_number_id } = this.vapi
    for (const api of [clients[3]!, clients[4]!]) {
      const body = { provider: 'vapi', credentials: { api_key, assistant_id, phone_number_id } }
      await api.send('update_voice_settings', { body })
      api.keep('provider', 'vapi')
    }
    for (const api of clients.slice(5, 8))
      await api.send('update_duplicate_settings', { body: { contact: { mode: 'auto' } } })
  }

  async #connect(
    api: ActorClient,
    provider: string,
    credentials: object,
    keys: () => string[],
  ): Promise<void> {
    const body = { provider, name: api.text(newNonce()), credentials }
    const answer = await api.send('create_crm_connection', { body })
    const { connection_id } = answer.body.data
    api.keep('connection', connection_id)
    this.#keys.set(connection_id, keys)
  }

  /** Checks that the stand-ins have one record of each person, and one call for each placed call. */
  async audit({ rows }: Audited): Promise<AuditResult[]> {
    const people: AuditResult = { name: 'CRMs have each person once', checked: 0, findings: [] }
    for (const [connection, keys] of this.#keys) {
      const counts = Map.groupBy(keys(), (key) => key)
      people.checked += counts.size
      for (const [key, all] of counts)
        if (all.length > 1) people.findings.push(`${key} is there ${all.length} times`)
      const pushed = await rows<{ key: string }>(
        `select distinct contact_id::text as key from crm_link where connection_id = $1 and mode = 'live' and external_id is not null`,
        [connection],
      )
      const there = new Set([...counts.keys()].map((name) => name.split(' ')[1]))
      for (const { key } of pushed)
        if (!there.has(key)) people.findings.push(`${key} was pushed and is not there`)
    }
    const calls: AuditResult = { name: 'providers dialed each call once', checked: 0, findings: [] }
    const placed = await rows<{ id: string; status: string; has: boolean }>(
      `select call_id::text as id, status, provider_call_id is not null as has from call where provider = 'vapi'`,
    )
    for (const { id, has } of placed) {
      calls.checked++
      const dials = this.vapi.calls.dialsOf(id)
      if (dials > 1 || (has && dials === 0)) calls.findings.push(`${id} was dialed ${dials} times`)
    }
    const known = new Set(placed.map(({ id }) => id))
    for (const { callId } of this.vapi.calls.all)
      if (!known.has(callId ?? '')) calls.findings.push(`${callId} is nobody's`)
    return [people, calls]
  }

  async close(): Promise<void> {
    clearInterval(this.#clock)
    await Promise.all([this.vapi, this.espo, this.hubspot].map(({ server }) => server.close()))
    await this.salesforce.close()
  }
}
