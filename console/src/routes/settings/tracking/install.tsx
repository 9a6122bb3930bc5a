import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WriteKey } from '../../../../../sdk/src/generated/types.ts'
import { Code } from '../../../parts/code.tsx'
import { CopyButton } from '../../../parts/copy.tsx'
import { Segments } from '../../../parts/field.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { type WayToSend, waysToSend } from './ways-to-send.ts'

/** How a page, an app or a program sends events with the key. */
export function Install({ writeKey }: { writeKey: WriteKey }) {
  const { orgId, api } = useScope()
  const { write_key_id, key } = writeKey
  const snippet = useQuery({
    // Depend on the key too, because a rotation replaces it.
    queryKey: ['tracking-snippet', orgId, write_key_id, key],
    queryFn: ({ signal }) => api.tracking.snippet.get({ write_key_id }, { signal }),
  })
  return <Loaded query={snippet}>{(found) => <Ways writeKey={writeKey} snippet={found.snippet} />}</Loaded>
}

function Ways({ writeKey, snippet }: { writeKey: WriteKey; snippet: string }) {
  const ways = waysToSend(writeKey, snippet, location.origin)
  const [chosen, setChosen] = useState<WayToSend['id']>('snippet')
  const way = ways.find(({ id }) => id === chosen) ?? ways[0]
  return (
    <section className="pad stack g12 rule" aria-label="Send events">
      <div className="rail wrap">
        <h3 style={{ flex: '1 0 auto' }}>Send events</h3>
        <Segments
          label="With"
          isLabelHidden
          value={chosen}
          options={ways.map(({ id, name }) => [id, name] as const)}
          onChange={setChosen}
        />
      </div>
      {way && (
        <>
          <div className="rail">
            <p className="two grow">{way.about}</p>
            <CopyButton text={way.code} />
          </div>
          <Code label={way.name}>{way.code}</Code>
        </>
      )}
      <p className="t12 three">
        <a className="link" href="/guides/track-your-website">
          How to track your website
        </a>{' '}
        has consent, visitors, and a script from your own address.{' '}
        <a className="link" href={`/demo?key=${writeKey.key}`}>
          Try the key on a demo page
        </a>
        .
      </p>
    </section>
  )
}
