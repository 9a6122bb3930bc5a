import type { Call, PlaceCall } from '../../../sdk/src/main.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit.ts'
import type { ParsedArguments } from '../flag.ts'
import { visible } from '../output/visible.ts'
import { Progress } from '../terminal/progress.ts'

export const callsPlace: Command = {
  name: 'calls place',
  args: ['<to_number>'],
  summary: 'Place a call: check it, ask, dial, and follow it to its end',
  description:
    'First the server makes all checks of the call, without dialing. Then the command asks for a confirmation. The exit code is 1 if the call was not completed. A request dials at most once, even after a broken connection.',
  flags: {
    'from-number': {
      value: 'number',
      text: 'The caller id. Optional if the organization has exactly one number.',
    },
    'persona-id': { value: 'persona_id', text: 'The persona that speaks.' },
    instructions: { value: 'text', text: 'Instructions for this call, after those of the persona.' },
    timezone: { value: 'name', text: 'The time zone of the callee, such as America/New_York.' },
    'dry-run': { text: 'Makes all checks, and dials nothing.' },
    detach: { text: 'Ends when the call is placed, and does not show its progress.' },
  },
  examples: ["calls place +12025550100 --instructions 'Confirm the appointment for tomorrow at ten.'"],
  prints: { operations: ['voice.calls.place', 'voice.calls.get'] },
  run,
}

async function run(context: Context, { args: [to = ''], values }: ParsedArguments): Promise<number> {
  const { io } = context
  const client = context.client()
  const text = (flag: string) => values[flag] as string | undefined
  const body: PlaceCall = {
    to_number: to,
    from_number: text('from-number'),
    persona_id: text('persona-id'),
    instructions: text('instructions'),
    timezone: text('timezone'),
  }
  const { signal } = io
  const checked = await client.voice.calls.place({ ...body, dry_run: true }, { signal })
  if (values['dry-run']) {
    await context.result.value(checked)
    return exitCodes.done
  }
  const { from_number } = checked
  await context.confirm(
    `Call ${visible(String(checked.to_number))} from ${visible(from_number)}, with ${checked.provider}. ${effectOf(checked)}`,
  )
  const placed = await client.voice.calls.place(body, { signal })
  if (values.detach || placed.call_id === null) {
    await context.result.value(placed, { idMember: 'call_id' })
    return exitCodes.done
  }
  const ended = await follow(context, placed.call_id)
  await context.result.value(ended, { idMember: 'call_id' })
  return ended.status === 'completed' ? exitCodes.done : exitCodes.refused
}

function effectOf({ mode, provider }: { mode: string; provider: string }): string {
  if (mode === 'test') return 'This is a call of test mode: no phone rings.'
  if (provider === 'simulator') return 'The call is simulated: no phone rings.'
  return 'The call is real and is billed.'
}

async function follow(context: Context, callId: string): Promise<Call> {
  const progress = new Progress(context.io)
  let shown = ''
  try {
    return await context.client().voice.calls.wait(callId, {
      signal: context.io.signal,
      pollMs: 1000,
      onProgress({ status }) {
        progress.update(null, status)
        if (status === shown) return
        shown = status
        progress.say(status)
      },
    })
  } catch (error) {
    await context.say(`The call continues without this command:\n  crosswalk voice calls get ${callId}`)
    throw error
  } finally {
    progress.stop()
  }
}
