import { insertKey, tokenOf } from '../../src/keys/keys.ts'
import { createOrg, setCeilings } from '../../src/orgs/operator.ts'
import { operatorOf } from '../../src/platform/actor.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { OrgTx } from '../../src/platform/db/org-tx.ts'
import { system } from '../../src/platform/db/system.ts'
import { connectNewApp } from '../support/new-connected-app.ts'

/** An organization, its marker, and its known objects. */
export type Actor = {
  orgId: string
  /** A text such as `mk007z`. It is in every text of this organization, and in no other organization. */
  marker: string
  tokens: { live: string; test: string }
  /** The client org on which the agency's keys act. */
  target: string | null
  isAgency: boolean
  /** Markers and ids of other orgs that may appear here: an agency and its clients can see each other. */
  relatives: Set<string>
  /** Ids by use. An action that needs an object for itself removes the object's id until the action ends. */
  pools: Map<string, string[]>
}

export const markers = /mk\d{3}z/g

/** Only people can connect apps, and the test has no people. So each organization begins with some connected apps. */
const appsOfOrg = 3

let orgs = 0

export const newMarker = (): string => `mk${String(++orgs).padStart(3, '0')}z`

function actor(orgId: string, marker: string, tokens: Actor['tokens'], more: Partial<Actor> = {}): Actor {
  return {
    ...{ orgId, marker, tokens, target: null, isAgency: false },
    ...{ relatives: new Set([marker, orgId]), pools: new Map() },
    ...more,
  }
}

export async function newActor(
  database: Database,
  { isAgency = false, perSecond = null as number | null } = {},
): Promise<Actor> {
  const marker = newMarker()
  return system(database).transact(async (tx) => {
    const orgId = await createOrg(tx, { name: `Org ${marker}`, isAgency, country: 'US' })
    await setCeilings(tx, orgId, { perSecond, perMinute: null })
    const token = async (mode: 'live' | 'test') => {
      const key = { name: `Key ${marker}`, mode, isAgency }
      return tokenOf(await insertKey(new OrgTx(tx, operatorOf(orgId)), key))
    }
    const made = actor(orgId, marker, { live: await token('live'), test: await token('test') }, { isAgency })
    const apps: string[] = []
    for (let app = 0; app < appsOfOrg; app++) apps.push(await connectNewApp(tx, orgId, `App ${marker}`))
    made.pools.set('app', apps)
    return made
  })
}

/** Makes the actor of a client organization. Its requests use the API keys of the agency. */
export function clientOf(agency: Actor, orgId: string, marker: string): Actor {
  const client = actor(orgId, marker, agency.tokens, { target: orgId })
  for (const one of [agency.marker, agency.orgId]) client.relatives.add(one)
  for (const one of [marker, orgId]) agency.relatives.add(one)
  return client
}
