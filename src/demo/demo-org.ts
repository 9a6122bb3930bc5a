import { enqueueScan } from '../duplicates/scans/jobs.ts'
import { insertKey, tokenOf } from '../keys/keys.ts'
import { createOrg, hasOrgs } from '../orgs/operator.ts'
import { operatorOf } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { setLockTimeout } from '../platform/db/lock-timeout.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Owner } from '../records/owners/owner.ts'
import { addCalls } from './calls.ts'
import { addCrmPush } from './crm.ts'
import { addFields } from './fields.ts'
import { addForms, formContacts } from './forms.ts'
import { addImport } from './import.ts'
import { makeDemoMembers } from './members.ts'
import { demoNumber, fillWithSample, type Sample } from './sample.ts'
import { addSegments } from './segments.ts'
import { addSignatures } from './signatures.ts'
import { addWebEvents } from './web-events.ts'

const demoSize = { seed: 1, contacts: 3_000, companies: 250, deals: 400 }
/** How many contacts visited the demo website and signed in there. */
const signedIn = 12
/** The import reads people from these last contacts. */
const importedFrom = 400

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
export async function makeDemoOrg(
  system: Tx,
  context: Pick<Context, 'jobs' | 'secrets'>,
): Promise<DemoOrg | null> {
  // Another process may be making the demo org.
  await setLockTimeout(system, 120_000)
  if (await hasOrgs(system)) return null
  const orgId = await createOrg(system, { name: 'Demo', isAgency: false, country: 'US' })
  const tx = new OrgTx(system, operatorOf(orgId))
  const owners = await makeDemoMembers(system, orgId)
  // Add the forms before the sample: lists begin with the newest records, and the first guides expect the sample there.
  await addForms(tx, signedIn)
  const sample = await fillWithSample(tx, demoSize, owners)
  const visitors = sample.people.slice(0, signedIn).map(({ contactId }) => contactId)
  const writeKey = await addWebEvents(tx, demoSize.seed, visitors)
  await addWork(tx, context, sample, owners)
  return {
    orgId,
    liveToken: await makeKey(tx, 'live'),
    testToken: await makeKey(tx, 'test'),
    writeKey,
    contacts: demoSize.contacts + formContacts,
    companies: demoSize.companies,
    deals: demoSize.deals,
  }
}

/** Adds what a team does with its records. Background jobs finish some of it after the commit. */
async function addWork(
  tx: OrgTx,
  context: Pick<Context, 'jobs' | 'secrets'>,
  { people, personaIds }: Sample,
  owners: readonly Owner[],
): Promise<void> {
  const contacts = people.map(({ input }) => input)
  await addFields(tx, context.jobs)
  await addSegments(tx, context.jobs)
  await addCrmPush(tx, context, people)
  await addCalls(tx, demoNumber, contacts, personaIds)
  await addSignatures(tx, context, owners)
  await addImport(tx, context.jobs, contacts.slice(-importedFrom))
  await enqueueScan(tx, 'contact', context.jobs)
}

async function makeKey(tx: OrgTx, mode: 'live' | 'test'): Promise<string> {
  return tokenOf(await insertKey(tx, { name: `Demo ${mode} key`, mode }))
}
