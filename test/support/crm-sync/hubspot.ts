import { pino } from 'pino'
import { afterAll, beforeAll, expect } from 'vitest'
import { HubSpotAdapter } from '../../../src/crm-sync/adapters/hubspot.ts'
import { hubspotPace } from '../../../src/crm-sync/adapters/hubspot-api.ts'
import { Outbound } from '../../../src/platform/outbound/outbound.ts'
import { Pace } from '../../../src/platform/outbound/pace.ts'
import { startTestApp, type TestApp, type TestOrg } from '../app.ts'
import { HubSpotStandIn } from '../stand-ins/hubspot.ts'
import type { HubSpotPortal } from '../stand-ins/hubspot-portal.ts'
import { connect, people } from './crm.ts'

type Setup = { org: TestOrg; portal: HubSpotPortal; connection_id: string }

/** A server with a stand-in for HubSpot. At the end, the log must not contain any account's token. */
export function useHubSpot() {
  let standIn: HubSpotStandIn
  let app: TestApp
  const lines: string[] = []
  beforeAll(async () => {
    standIn = await HubSpotStandIn.start()
    const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) })
    app = await startTestApp({ hubspotApiUrl: standIn.server.url }, undefined, log)
  })
  afterAll(async () => {
    await app.close()
    await standIn.server.close()
    expect(lines).not.toEqual([])
    for (const { token } of standIn.portals) expect(lines.join('')).not.toContain(token.slice(0, 20))
  })

  return {
    get app() {
      return app
    },
    get standIn() {
      return standIn
    },
    async newOrg(more: object = {}): Promise<Setup> {
      const portal = standIn.newPortal()
      const org = await app.newOrg()
      const credentials = { access_token: portal.token }
      const connection_id = await connect(org, { provider: 'hubspot', credentials, ...more })
      return { org, portal, connection_id }
    },
    adapterOf(portal: HubSpotPortal) {
      const access = {
        ...{ outbound: new Outbound({ allowPrivate: false }), owner: 'org', apiUrl: standIn.server.url },
        pace: new Pace(hubspotPace),
      }
      return new HubSpotAdapter({
        ...access,
        ...{ connectionId: 'one', token: portal.token, keyField: 'crosswalk_id' },
      })
    },
  }
}

export const newPeople = (org: TestOrg, count: number): Promise<string[]> =>
  people(org, count, (index) => ({ first_name: `First${index}`, last_name: `Last${index}` }))

/** Checks that there is one lead and one contact for each person, and nothing else. */
export function expectOnce(portal: HubSpotPortal, ids: readonly string[]): void {
  const each = new Map(ids.map((id) => [id, 1]))
  expect(portal.countsOf('leads')).toEqual(each)
  expect(portal.countsOf('contacts')).toEqual(each)
}

export const batches = (verb: string, object = '\\w+') =>
  new RegExp(`^POST /crm/v3/objects/${object}/batch/${verb}$`)
