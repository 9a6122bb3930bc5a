import { useState } from 'react'
import type { WriteKey } from '../../../../../sdk/src/generated/types.ts'
import { Code } from '../../../parts/code.tsx'
import { CopyButton } from '../../../parts/copy.tsx'
import { Segments } from '../../../parts/field.tsx'
import { type Way, waysToSend } from './ways-to-send.ts'

/** How a page, an app or a program sends events with the key. */
export function Install({ writeKey }: { writeKey: WriteKey }) {
  const ways = waysToSend(writeKey, location.origin)
  const [chosen, setChosen] = useState<Way['id']>('segment')
  const way = ways.find(({ id }) => id === chosen) ?? ways[0]
  return (
    <section className="pad stack g12 rule" aria-label="Send events">
      <div className="rail wrap">
        <h3 className="grow">Send events</h3>
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
    </section>
  )
}
