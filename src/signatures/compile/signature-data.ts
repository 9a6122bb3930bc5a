/** What a template may show. Its fields are also names of their own: see scope.ts. */
export type SignatureData = {
  email: string
  display_name: string
  fields: Record<string, string>
  persona: Record<string, unknown> | null
  org: { name: string } & Record<string, unknown>
}
