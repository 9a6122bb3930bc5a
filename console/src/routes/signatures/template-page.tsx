import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../parts/loaded.tsx'
import { useParams } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { mailboxesQuery } from './mailboxes-query.ts'
import { TemplateEditor } from './template-editor.tsx'

/** One template, with its editor and its preview. */
export function TemplatePage() {
  const scope = useScope()
  const { orgId, api } = scope
  const { templateId } = useParams('/o/$orgId/signatures/$templateId')
  const template = useQuery({
    queryKey: ['signature-template', orgId, templateId],
    queryFn: ({ signal }) => api.signatures.templates.get(templateId, { signal }),
    refetchInterval: 15_000,
  })
  const mailboxes = useQuery(mailboxesQuery(scope))
  if (template.data && mailboxes.data)
    return (
      <TemplateEditor
        key={templateId}
        template={template.data}
        mailboxes={mailboxes.data.mailboxes}
        onChanged={() => Promise.all([template.refetch(), mailboxes.refetch()])}
      />
    )
  return (
    <Page name="Signatures" part={template.data?.name ?? ''}>
      <Loaded
        query={{
          data: undefined,
          error: template.error ?? mailboxes.error,
          refetch: () => Promise.all([template.refetch(), mailboxes.refetch()]),
        }}
        rows={8}
      >
        {() => null}
      </Loaded>
    </Page>
  )
}
