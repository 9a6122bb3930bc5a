import type { Org } from '../../platform/db/org.ts'
import { conflict, notFound } from '../../platform/domain-error.ts'
import { TemplateFault } from '../compile/compile.ts'
import { compileAside } from '../compile/compiler.ts'
import type { SignatureData } from '../compile/signature-data.ts'
import type { Preview, PreviewTemplate, TemplatePreview } from '../mailbox-schema.ts'
import { refuseFaults } from '../templates/templates.ts'
import { mailboxNotFound } from './mailboxes.ts'
import { readSources, type SignatureSource } from './sources.ts'

// No transaction is open while a template compiles: it would keep a connection.

/**
 * Compiles a template that need not be stored, for a mailbox or with its own names as data.
 * @param owner Caller.payerId
 * @throws ValidationError with the part and place of a fault; DomainError not_found
 */
export async function previewTemplate(
  org: Org,
  owner: string,
  { html, text, mailbox_id: mailboxId }: PreviewTemplate,
): Promise<TemplatePreview> {
  const data = mailboxId ? await dataOf(org, mailboxId) : null
  const compiled = await refuseFaults(() => compileAside(owner, { html, text: text || null }, data))
  return { html: compiled.html, text: compiled.text, size: compiled.size, warnings: compiled.warnings }
}

async function dataOf(org: Org, mailboxId: number): Promise<SignatureData> {
  const source = await sourceOf(org, mailboxId)
  if (!source) throw notFound('reference_not_found', `mailbox_id: ${mailboxNotFound().message}`)
  return source.data
}

async function sourceOf(org: Org, mailboxId: number): Promise<SignatureSource | undefined> {
  const [source] = await org.read((tx) => readSources(tx, [mailboxId]))
  return source
}

/**
 * The signature that the next push would install.
 * @param owner Caller.payerId
 * @throws DomainError not_found; conflict if there is no template, or the template does not compile
 */
export async function previewMailbox(org: Org, owner: string, mailboxId: number): Promise<Preview> {
  const source = await sourceOf(org, mailboxId)
  if (!source) throw mailboxNotFound()
  if (!source.template) throw noTemplateError(mailboxId)
  try {
    const { html, text, size, sha256, warnings } = await compileAside(owner, source.template, source.data)
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
