import type { FollowedEvent } from '../../../sdk/src/main.ts'
import type { Command } from '../command.ts'
import { followEvents, followFlags } from '../events/follow-events.ts'
import { write } from '../io.ts'
import { timeText } from '../output/cell.ts'
import { Result } from '../output/result.ts'
import { visible } from '../output/visible.ts'

export const eventsTail: Command = {
  name: 'events tail',
  args: [],
  summary: 'Print events as they happen',
  description:
    'Waits for more events without end, through restarts of the server. In a pipe, each event is one line of JSON. To continue later, pass the last `cursor` to --from.',
  flags: { ...followFlags, objects: { text: 'Adds each object as a GET shows it now.' } },
  examples: ["events tail --types 'contact.*'", 'events tail --from 1h -o jsonl'],
  async run(context, { values }) {
    const { io, result } = context
    const include = values.objects ? 'object' : undefined
    const events = followEvents(context.client(), values, include, io.signal)
    if (result.format === 'table' && values.columns === undefined) {
      for await (const event of events) await write(io.stdout, `${lineOf(event)}\n`)
      return undefined
    }
    // A list of JSON would have no end.
    const format = result.format === 'json' ? 'jsonl' : result.format
    await new Result(io, format, values.columns as string | undefined).pages(eachAlone(events), 'event_id')
    return undefined
  },
}

async function* eachAlone(events: AsyncIterable<FollowedEvent>): AsyncGenerator<readonly FollowedEvent[]> {
  for await (const event of events) yield [event]
}

function lineOf({ type, created_at, data, changed, mode }: FollowedEvent): string {
  const fields = changed && changed.length > 0 ? `  ${changed.join(', ')}` : ''
  return visible(
    `${timeText(created_at)}  ${type}  ${data.object_id}${mode === 'test' ? '  test' : ''}${fields}`,
  )
}
