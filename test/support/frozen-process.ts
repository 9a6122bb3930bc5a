import type { Context } from '../../src/platform/context.ts'
import type { Org } from '../../src/platform/db/org.ts'

/** A process that stops before its n-th transaction, and a function that lets it continue. */
export function frozenAfter(
  context: Context,
  transactions: number,
): { context: Context; reached: Promise<void>; thaw(): void } {
  const [reached, thawed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let begun = 0
  const freezing = (org: Org): Pick<Org, 'orgId' | 'read' | 'transact'> => ({
    orgId: org.orgId,
    read: (work) => org.read(work),
    transact: async (work) => {
      if (begun++ === transactions) {
        reached.resolve()
        await thawed.promise
      }
      return org.transact(work)
    },
  })
  const database = { org: (orgId: string) => freezing(context.database.org(orgId)) }
  return {
    context: { ...context, database: database as unknown as Context['database'] },
    reached: reached.promise,
    thaw: thawed.resolve,
  }
}
