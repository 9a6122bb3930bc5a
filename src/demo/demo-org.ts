import { insertKey, tokenOf } from '../keys/keys.ts'
import { createOrg, hasOrgs } from '../orgs/operator.ts'
import { operatorOf } from '../platform/actor.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import type { Tx } from '../platform/db/tx.ts'
import { makeDemoMembers } from './members.ts'
import { fillWithSample } from './sample.ts'
import { addWebEvents } from './web-events.ts'

const demoSize = { seed: 1, contacts: 3_000, companies: 250, deals: 400 }
/** How many contacts visited the demo website and signed in there. */
const signedIn = 12

export type DemoOrg = {
  orgId: string
  liveToken: string
  testToken: string
  /** With it, the demo page sends events. */
  writeKey: string
  contacts: number
  companies: number
  deals: number
}

/** Creates the demo org; null if the installation has an org already. */
export async function makeDemoOrg(system: Tx): Promise<DemoOrg | null> {
  if (await hasOrgs(system)) return null
  const orgId = await createOrg(system, { name: 'Demo', isAgency: false, country: 'US' })
  const tx = new OrgTx(system, operatorOf(orgId))
  const owners = await makeDemoMembers(system, orgId)
  const contactIds = await fillWithSample(tx, demoSize, owners)
  const writeKey = await addWebEvents(tx, demoSize.seed, contactIds.slice(0, signedIn))
  return {
    orgId,
    liveToken: await makeKey(tx, 'live'),
    testToken: await makeKey(tx, 'test'),
    writeKey,
    contacts: demoSize.contacts,
    companies: demoSize.companies,
    deals: demoSize.deals,
  }
}

async function makeKey(tx: OrgTx, mode: 'live' | 'test'): Promise<string> {
  return tokenOf(await insertKey(tx, { name: `Demo ${mode} key`, mode }))
}
