import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WriteKey } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { OldData } from '../../../parts/old-data.tsx'
import { Tag } from '../../../parts/tag.tsx'
import { writeKeysQuery } from '../../../queries/write-keys.ts'
import { Link } from '../../../routing/link.tsx'
import { useNavigate, useParams } from '../../../routing/use-router.ts'
import { useScope } from '../../../shell/scope.tsx'
import { Install } from './install.tsx'
import { LastEvent } from './last-event.tsx'
import { Received } from './received.tsx'
import { type WriteKeyAction, WriteKeyDialogs } from './write-key-dialogs.tsx'
import { WriteKeyFacts } from './write-key-facts.tsx'

const pollMs = 2_000

/** Shows one write key: how to put it into a page, and whether events arrive with it. */
export function WriteKeyPage() {
  const { orgId, api } = useScope()
  const { writeKeyId } = useParams('/o/$orgId/settings/tracking/$writeKeyId')
  const writeKey = useQuery({
    queryKey: ['write-key', orgId, writeKeyId],
    queryFn: ({ signal }) => api.writeKeys.get(writeKeyId, { signal }),
    // A person who installs the key waits for its first event.
    refetchInterval: pollMs,
  })
  return (
    <>
      <OldData query={writeKey} name="write key" seconds={pollMs / 1_000} />
      <Loaded query={writeKey}>{(found) => <Found key={found.write_key_id} writeKey={found} />}</Loaded>
    </>
  )
}

function Found({ writeKey }: { writeKey: WriteKey }) {
  const scope = useScope()
  const { orgId, can } = scope
  const [open, setOpen] = useState<WriteKeyAction | null>(null)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const list = { to: '/o/$orgId/settings/tracking', params: { orgId } } as const
  const { write_key_id: writeKeyId, name, mode } = writeKey
  return (
    <>
      <div className="pad stack g12">
        <p className="t12">
          <Link {...list} className="link">
            All write keys
          </Link>
        </p>
        <div className="rail">
          <h2 className="t16 cut">{name}</h2>
          {mode === 'test' && <Tag kind="test">test</Tag>}
        </div>
        {can('tracking:manage') && (
          <div className="rail wrap">
            <Button onClick={() => setOpen('edit')}>Edit</Button>
            <Button icon="rotate" onClick={() => setOpen('rotate')}>
              Rotate
            </Button>
            <Button kind="quiet" danger onClick={() => setOpen('delete')}>
              Delete
            </Button>
          </div>
        )}
        <LastEvent writeKey={writeKey} />
        <WriteKeyFacts writeKey={writeKey} />
      </div>
      <Install writeKey={writeKey} />
      <Received mode={mode} writeKeyId={writeKeyId} />
      {open && (
        <WriteKeyDialogs
          open={open}
          writeKey={writeKey}
          onClose={() => setOpen(null)}
          onChanged={() => {
            setOpen(null)
            void queries.invalidateQueries({ queryKey: ['write-key', orgId, writeKeyId] })
          }}
          onDeleted={() => {
            void queries.invalidateQueries(writeKeysQuery(scope))
            void navigate(list)
          }}
        />
      )}
    </>
  )
}
