import type { Call, CallStatus } from '../../../../sdk/src/generated/types.ts'

const states: Record<CallStatus, readonly ['ok' | 'warn' | 'bad' | 'run' | 'off', string]> = {
  dispatching: ['run', 'dialing'],
  unknown: ['warn', 'not known whether it rang'],
  queued: ['run', 'waiting'],
  ringing: ['run', 'ringing'],
  in_progress: ['run', 'talking'],
  completed: ['ok', 'completed'],
  busy: ['off', 'busy'],
  no_answer: ['off', 'no answer'],
  failed: ['bad', 'failed'],
  canceled: ['off', 'canceled'],
}

export function callState({ status }: Pick<Call, 'status'>) {
  const [kind, word] = states[status]
  return { kind, word }
}

/** The statuses for a filter, each with its label. */
export const statusOptions = Object.entries(states).map(
  ([status, [, word]]) => [status as CallStatus, word] as const,
)

export const isUnderWay = ({ status }: Pick<Call, 'status'>): boolean =>
  ['dispatching', 'unknown', 'queued', 'ringing', 'in_progress'].includes(status)

/** Whether somebody may be on the phone, so that a person can end the call. */
export const canBeEnded = ({ status }: Pick<Call, 'status'>): boolean =>
  ['queued', 'ringing', 'in_progress'].includes(status)

/** A duration in minutes and seconds: “1:52”. */
export const talkTime = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
