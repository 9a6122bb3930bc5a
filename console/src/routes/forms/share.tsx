import type { Form } from '../../../../sdk/src/generated/types.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Section, SectionBody } from '../../parts/section.tsx'

/** How people reach the form: its own page. */
export function Share({ form: { form_id: formId, status } }: { form: Form }) {
  const address = `${location.origin}/f/${formId}`
  return (
    <Section
      title="Share"
      about={
        status === 'live'
          ? 'The page works on every device, even without JavaScript.'
          : 'Publish the form first: nobody can open a draft or an archived form.'
      }
      act={
        <>
          <CopyButton text={address} label="Copy the link" />
          {status === 'live' && (
            <ButtonLink icon="open" href={`/f/${formId}`}>
              Open
            </ButtonLink>
          )}
        </>
      }
    >
      <SectionBody>
        <Code label="The address of the page">{address}</Code>
      </SectionBody>
    </Section>
  )
}
