import type { Sandbox, SandboxCopy } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { State } from '../../../parts/state.tsx'
import { RowActions } from '../../../parts/table.tsx'
import { ExpiryTime, Time } from '../../../parts/time.tsx'

const contents: Record<SandboxCopy, string> = {
  nothing: 'nothing',
  settings: 'your settings',
  sample: 'sample data',
}

/** Shows one sandbox, with its content and its end. */
export function SandboxRow({
  sandbox: { name, copy, status, created_at, expires_at },
  onOpen,
  onDelete,
}: {
  sandbox: Sandbox
  /** null: the person cannot open it. */
  onOpen: (() => void) | null
  onDelete: (() => void) | null
}) {
  return (
    <tr>
      <th scope="row" title={name}>
        {name}
      </th>
      <td className="opt">{contents[copy]}</td>
      <td className="opt">
        {status === 'ready' ? (
          <State kind="ok">ready</State>
        ) : status === 'preparing' ? (
          <State kind="run">being filled</State>
        ) : (
          <State kind="bad">not filled</State>
        )}
      </td>
      <td className="opt">
        <Time at={created_at} />
      </td>
      <td>
        <ExpiryTime at={expires_at} warnDays={2} />
      </td>
      <td>
        <RowActions>
          {onOpen && (
            <Button icon="open" aria-label={`Open ${name}`} onClick={onOpen}>
              Open
            </Button>
          )}
          {onDelete && (
            <Button kind="quiet" danger icon="trash" aria-label={`Delete ${name}`} onClick={onDelete} />
          )}
        </RowActions>
      </td>
    </tr>
  )
}
