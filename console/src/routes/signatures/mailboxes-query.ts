import { queryOptions } from '@tanstack/react-query'
import type { Mailbox } from '../../../../sdk/src/generated/types.ts'
import { liveInterval } from '../../api/live.ts'
import type { Scope } from '../../shell/scope.tsx'

const pageSize = 100
/** More mailboxes than this are not loaded: the page says so. */
const mailboxesMax = 1_000

export type Mailboxes = { mailboxes: readonly Mailbox[]; total: number }

/** All mailboxes of the organization, newest first, up to 1,000. */
export const mailboxesQuery = ({ orgId, mode, api }: Pick<Scope, 'orgId' | 'mode' | 'api'>) =>
  queryOptions({
    queryKey: ['signature-mailboxes', orgId, mode],
    queryFn: async ({ signal }): Promise<Mailboxes> => {
      const mailboxes: Mailbox[] = []
      for (let cursor: string | null = null; ; ) {
        const { data, pagination } = await api.signatures.mailboxes.list(
          { limit: pageSize, ...(cursor !== null && { cursor }) },
          { signal },
        )
        mailboxes.push(...data)
        cursor = pagination.next_cursor
        if (cursor === null || mailboxes.length >= mailboxesMax) return { mailboxes, total: pagination.total }
      }
    },
    refetchInterval: liveInterval<Mailboxes>(({ mailboxes }) => mailboxes.some(isUnfinished), 30_000),
  })

const moving: readonly string[] = ['queued', 'compiling', 'installing']
const isUnfinished = ({ deployment }: Mailbox) => moving.includes(deployment.status)
