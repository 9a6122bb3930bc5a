import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Form } from '../../../../sdk/src/generated/types.ts'
import { Code } from '../../parts/code.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Select } from '../../parts/field.tsx'
import { Section, SectionBody } from '../../parts/section.tsx'
import { writeKeysQuery } from '../../queries/write-keys.ts'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'

/** The two lines that show the form on a page of the organization's own site. */
export function Embed({ form: { form_id: formId } }: { form: Form }) {
  const scope = useScope()
  const { orgId, mode, can } = scope
  const [chosen, setChosen] = useState('')
  const mayReadKeys = can('tracking:read')
  const keys = useQuery({
    ...writeKeysQuery(scope),
    enabled: mayReadKeys,
  })
  const usable = keys.data?.filter((one) => one.mode === mode && one.purposes.includes('forms')) ?? []
  const writeKey = usable.find((one) => one.write_key_id === chosen) ?? usable[0]
  const lines = `<div data-crosswalk-embed="${formId}"></div>
<script async src="${location.origin}/sdk/forms-v1.js" data-key="${writeKey?.key ?? 'YOUR_WRITE_KEY'}"></script>`
  return (
    <Section
      title="On your site"
      about={
        writeKey ? (
          'Put these two lines where the form should appear.'
        ) : (
          <>
            Put these two lines where the form should appear. They need a write key that may call Forms:{' '}
            <Link className="link" to="/o/$orgId/settings/tracking" params={{ orgId }}>
              make one in Tracking
            </Link>
            .
          </>
        )
      }
      // Without a key, the lines do not work yet.
      act={(writeKey || !mayReadKeys) && <CopyButton text={lines} label="Copy the lines" />}
    >
      <SectionBody>
        {usable.length > 1 && (
          <Select
            label="Write key"
            value={writeKey?.write_key_id ?? ''}
            options={usable.map(({ write_key_id, name }) => [write_key_id, name] as const)}
            onChange={setChosen}
          />
        )}
        <Code label="The form on your site">{lines}</Code>
      </SectionBody>
    </Section>
  )
}
