import type { OrgTx } from '../../platform/db/org-tx.ts'
import { conflict, notFound } from '../../platform/domain-error.ts'
import { compileSignature, TemplateFault } from '../compile/compile.ts'
import { namesAsData } from '../compile/names-as-data.ts'
import type { SignatureData } from '../compile/signature-data.ts'
import type { Preview, PreviewTemplate, TemplatePreview } from '../mailbox-schema.ts'
import { refuseFaults } from '../templates/templates.ts'
import { mailboxNotFound } from './mailboxes.ts'
import { readSources } from './sources.ts'

/**
 * Compiles a template that need not be stored, for a mailbox or with its own names as data.
 * @throws ValidationError with the part and place of a fault; DomainError not_found
 */
export async function previewTemplate(
  tx: OrgTx,
  { html, text, mailbox_id: mailboxId }: PreviewTemplate,
): Promise<TemplatePreview> {
  const template = { html, text: text || null }
  const data = mailboxId ? await dataOf(tx, mailboxId) : refuseFaults(() => namesAsData(template))
  const compiled = refuseFaults(() => compileSignature(template, data))
  return { html: compiled.html, text: compiled.text, size: compiled.size, warnings: compiled.warnings }
}

async function dataOf(tx: OrgTx, mailboxId: number): Promise<SignatureData> {
  const [source] = await readSources(tx, [mailboxId])
  if (!source) throw notFound('reference_not_found', `mailbox_id: ${mailboxNotFound().message}`)
  return source.data
}

/**
 * The signature that the next push would install.
 * @throws DomainError not_found; conflict if there is no template, or the template does not compile
 */
export async function previewMailbox(tx: OrgTx, mailboxId: number): Promise<Preview> {
  const [source] = await readSources(tx, [mailboxId])
  if (!source) throw mailboxNotFound()
  if (!source.template) throw noTemplateError(mailboxId)
  try {
    const { html, text, size, sha256, warnings } = compileSignature(source.template, source.data)
    const { version } = source
    return { mailbox_id: mailboxId, version, html, text, size, html_sha256: sha256, warnings }
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error
    throw conflict('template_invalid', `The signature does not compile: ${error.placed}`)
  }
}

/** The error for a mailbox without a template. */
export const noTemplateError = (mailboxId: number) =>
  conflict(
    'template_missing',
    `This mailbox has no template. Give it one first (PATCH /signatures/mailboxes/${mailboxId} {"template_id": …}).`,
  )
