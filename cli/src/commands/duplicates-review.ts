import type { EntityType, Merge } from '../../../sdk/src/main.ts'
import type { Command } from '../command.ts'
import { UsageError } from '../exit.ts'
import { Review } from '../review/review.ts'

const types = ['contact', 'company', 'deal'] as const
const proposalsMax = 500

export const duplicatesReview: Command = {
  name: 'duplicates review',
  args: [],
  summary: 'Decide about proposed merges one by one, with both records side by side',
  description:
    'Keys: m merges, d dismisses, s skips, u undoes the last decision, q quits. A dismissed pair is never proposed again. The command reads up to 500 proposals.',
  flags: { type: { value: 'type', choices: types, text: 'Only proposals of this record type.' } },
  examples: ['duplicates review', 'duplicates review --type company'],
  async run(context, { values }) {
    const { io } = context
    if (!io.stdin.isTTY || !io.stderr.isTTY)
      throw new UsageError(
        'A review needs a terminal. In a script: crosswalk duplicates merges list --status shadow, and crosswalk duplicates proposals apply <id>.',
      )
    const type = values.type as EntityType | undefined
    if (type !== undefined && !types.includes(type))
      throw new UsageError(`--type must be ${types.join(', ')}, not "${type}".`)
    const client = context.client()
    const proposals: Merge[] = []
    const query = { status: 'shadow', entity_type: type, limit: 100 } as const
    for await (const proposal of client.duplicates.merges.list(query, { signal: io.signal })) {
      proposals.push(proposal)
      if (proposals.length === proposalsMax) break
    }
    if (proposals.length === 0) {
      await context.say('There are no proposals. To search all records: crosswalk duplicates scans create')
      return undefined
    }
    const { merged, dismissed, skipped } = await new Review(context, client, proposals).run()
    await context.say(`${merged} merged, ${dismissed} dismissed, ${skipped} skipped.`)
    return undefined
  },
}
