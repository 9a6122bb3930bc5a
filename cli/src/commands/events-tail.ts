import type { FollowedEvent } from '../../../sdk/src/main.ts'
import type { Command } from '../command.ts'
import { followEvents, followFlags } from '../events/follow-events.ts'
import { write } from '../io.ts'
import { cellOf, memberAt, timeText } from '../output/cell.ts'
import { Result } from '../output/result.ts'
import { visible } from '../output/visible.ts'

export const eventsTail: Command = {
  name: 'events tail',
  args: [],
  summary: 'Print events as they happen',
  description:
    'The command waits for more events until you stop it, even while the server restarts. In a pipe, each event is one line of JSON. To continue later, pass the last `cursor` to --from.',
  flags: { ...followFlags, objects: { text: 'Adds each object as a GET shows it now.' } },
  examples: ["events tail --types 'contact.*'", 'events tail --from 1h -o jsonl'],
  prints: { operations: ['events.feed'], members: ['cursor'] },
  async run(context, { values }) {
    const { io, result } = context
    const include = values.objects ? 'object' : undefined
    const columns = values.columns as string | undefined
    const events = followEvents(context.client(), values, include, io.signal)
    if (result.format === 'table') {
      for await (const event of events) await write(io.stdout, `${lineOf(event, columns?.split(','))}\n`)
      return undefined
    }
    // One JSON list would never be complete, so print a line for each event.
    const format = result.format === 'json' ? 'jsonl' : result.format
    await new Result(io, format, columns).pages(eachAlone(events), { idMember: 'event_id' })
    return undefined
  },
}

async function* eachAlone(events: AsyncIterable<FollowedEvent>): AsyncGenerator<readonly FollowedEvent[]> {
  for await (const event of events) yield [event]
}

/** An event on one line. The widths of later events are unknown, so the columns are not aligned. */
function lineOf(event: FollowedEvent, columns: readonly string[] | undefined): string {
  if (columns) return columns.map((name) => cellOf(name, memberAt(event, name.trim()))).join('  ')
  const { type, created_at, data, changed, mode } = event
  const fields = changed && changed.length > 0 ? `  ${changed.join(', ')}` : ''
  return visible(
    `${timeText(created_at)}  ${type}  ${data.object_id}${mode === 'test' ? '  test' : ''}${fields}`,
  )
}
