import type { ApiKey } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { shortList } from '../../../parts/short-list.ts'
import { State } from '../../../parts/state.tsx'
import { RowActions } from '../../../parts/table.tsx'
import { Tag } from '../../../parts/tag.tsx'
import { ExpiryTime, Time } from '../../../parts/time.tsx'
import { daysUntil, now } from '../../../parts/times.ts'

const idleDays = 90

/** Shows one key: its permissions, last use and expiry. An action that is due is always visible. */
export function KeyRow({
  apiKey,
  isOfAgency,
  onRotate,
  onDelete,
}: {
  apiKey: ApiKey
  /** Whether an agency made it. */
  isOfAgency: boolean
  onRotate: (() => void) | null
  onDelete: (() => void) | null
}) {
  const { name, mode, is_agency, token_hint, permissions, last_used_at, created_at, expires_at } = apiKey
  const isReplaced = apiKey.replaced_by_api_key_id !== null
  const idle = -daysUntil(last_used_at ?? created_at) - 1
  const isIdle = idle >= idleDays
  const isOver = expires_at !== null && expires_at <= now()
  return (
    <tr>
      <th scope="row">
        <span className="rail">
          <span className="cut">{name}</span>
          {mode === 'test' && <Tag kind="test">test</Tag>}
          {is_agency && <Tag>agency</Tag>}
        </span>
        {isReplaced && <p className="t12 three cut">replaced by a newer key</p>}
        {isOfAgency && <p className="t12 three cut">made by an agency</p>}
      </th>
      <td className="mono opt">
        svc_{mode}_…{token_hint}
      </td>
      <td className="opt" title={permissions?.join(', ')}>
        {summary(permissions)}
      </td>
      <td className="opt">
        {isIdle ? <State kind="warn">unused for {idle} days</State> : <Time at={last_used_at} />}
      </td>
      <td>{isOver ? <State kind="bad">expired</State> : <ExpiryTime at={expires_at} />}</td>
      <td>
        <RowActions>
          {/* A key is rotated once. */}
          {onRotate && !isOver && !isReplaced && (
            <Button kind="quiet" icon="rotate" data-shy="" aria-label={`Rotate ${name}`} onClick={onRotate}>
              <span className="wide-label">Rotate</span>
            </Button>
          )}
          {onDelete && (
            <Button
              kind="quiet"
              danger
              icon="trash"
              data-shy={isIdle ? undefined : ''}
              aria-label={`Delete ${name}`}
              onClick={onDelete}
            >
              <span className="wide-label">Delete</span>
            </Button>
          )}
        </RowActions>
      </td>
    </tr>
  )
}

function summary(permissions: string[] | null): string {
  return permissions === null || permissions.includes('*') ? 'everything' : shortList(permissions, 'nothing')
}
