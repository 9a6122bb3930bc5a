import { Batcher } from '../batcher.ts'
import { waitForAll } from '../wait-for-all.ts'
import type { Database } from './database.ts'
import { CommitUnknown } from './errors.ts'
import { Org } from './org.ts'
import type { OrgTx } from './org-tx.ts'

type Work = (tx: OrgTx) => Promise<unknown>
type Outcome = { value: unknown } | { error: unknown }
type Run = (work: Work) => Promise<unknown>

/**
 * A handle to the organization of `org` for many small transactions at once. Transactions that wait at the same time
 * run as one, so they share round trips and the commit. Each must still be correct alone, and its locks last until
 * the joint transaction ends.
 */
export function joinTransactions(org: Org): Org {
  const writes = sharing((work) => org.transact(work))
  const reads = sharing((work) => org.read(work))
  return new Org(
    org.actor,
    {
      transact: (work) => writes(work),
      read: (work) => reads(work),
      readRows: (query) => reads((tx) => tx.rows(query)),
    },
    { payerId: org.payerId },
  )
}

type Joint = { org: Org; users: number }
const jointOrgs = new WeakMap<Pick<Database, 'org'>, Map<string, Joint>>()

/** Calls `act` with a handle from `joinTransactions`. All concurrent calls for the organization share the handle. */
export async function useJointOrg(
  database: Pick<Database, 'org'>,
  orgId: string,
  act: (org: Org) => Promise<void>,
): Promise<void> {
  const joints = jointOrgs.get(database) ?? new Map<string, Joint>()
  jointOrgs.set(database, joints)
  const joint = joints.get(orgId) ?? { org: joinTransactions(database.org(orgId)), users: 0 }
  joints.set(orgId, joint)
  joint.users += 1
  try {
    await act(joint.org)
  } finally {
    joint.users -= 1
    if (joint.users === 0) joints.delete(orgId)
  }
}

function sharing(run: Run): <Result>(work: (tx: OrgTx) => Promise<Result>) => Promise<Result> {
  const gather = new Batcher((works: readonly Work[]) => runAll(run, works))
  return async <Result>(work: (tx: OrgTx) => Promise<Result>) => {
    const outcome = await gather.add(work)
    if ('error' in outcome) throw outcome.error
    return outcome.value as Result
  }
}

/**
 * Runs all functions in one transaction. If that fails, runs each in its own transaction, so that only the failing
 * function fails.
 */
async function runAll(run: Run, works: readonly Work[]): Promise<Outcome[]> {
  if (works.length > 1) {
    try {
      const values = (await run((tx) => waitForAll(works.map((work) => work(tx))))) as unknown[]
      return values.map((value) => ({ value }))
    } catch (error) {
      if (error instanceof CommitUnknown) return works.map(() => ({ error }))
    }
  }
  return Promise.all(
    works.map((work) =>
      run(work).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      ),
    ),
  )
}
