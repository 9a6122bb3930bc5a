import type { WriteKey } from '../../../../../sdk/src/generated/types.ts'
import { CopyButton } from '../../../parts/copy.tsx'
import { shortList } from '../../../parts/short-list.ts'
import { Tag } from '../../../parts/tag.tsx'
import { Time } from '../../../parts/time.tsx'
import { Link } from '../../../routing/link.tsx'
import { useScope } from '../../../shell/scope.tsx'

/** Shows one write key, with the link to its page. */
export function WriteKeyRow({ writeKey }: { writeKey: WriteKey }) {
  const { orgId } = useScope()
  const { write_key_id, name, key, mode, origins, last_seen_at } = writeKey
  return (
    <tr>
      <th scope="row" title={name}>
        <span className="rail">
          <Link
            className="cut link"
            to="/o/$orgId/settings/tracking/$writeKeyId"
            params={{ orgId, writeKeyId: write_key_id }}
          >
            {name}
          </Link>
          {mode === 'test' && <Tag kind="test">test</Tag>}
        </span>
      </th>
      <td className="opt">
        <span className="rail">
          <span className="mono cut">{key}</span>
          <span data-shy="">
            <CopyButton text={key} of={name} />
          </span>
        </span>
      </td>
      <td className="opt" title={origins.join(', ')}>
        {shortList(
          origins.map((origin) => origin.replace(/^https:\/\//, '')),
          'every site',
        )}
      </td>
      <td>
        <Time at={last_seen_at} />
      </td>
    </tr>
  )
}
