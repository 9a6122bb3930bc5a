import type { Mailbox, SignaturePushStatus } from '../../../../sdk/src/generated/types.ts'

type Shown = { kind: 'ok' | 'warn' | 'bad' | 'run' | 'off'; word: string }

const states: Record<SignaturePushStatus | 'never', Shown> = {
  never: { kind: 'off', word: 'not installed' },
  queued: { kind: 'run', word: 'waits' },
  compiling: { kind: 'run', word: 'is compiled' },
  installing: { kind: 'run', word: 'is installed now' },
  installed: { kind: 'ok', word: 'installed' },
  failed: { kind: 'bad', word: 'failed' },
  manual_pending: { kind: 'warn', word: 'waits for its owner' },
}

export const pushState = (status: SignaturePushStatus): Shown => states[status]

/** The state of a mailbox. An installed signature may be older than the template. */
export const installState = ({ version, deployment: { status, revision } }: Mailbox): Shown =>
  status === 'installed' && revision !== version
    ? { kind: 'warn', word: 'older version installed' }
    : states[status]

export const isUpToDate = ({ version, deployment: { status, revision } }: Mailbox): boolean =>
  status === 'installed' && revision === version
