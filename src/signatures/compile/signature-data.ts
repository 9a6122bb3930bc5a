/** The data that a template may show. Each member of `fields` is also a name (scope.ts). */
export type SignatureData = {
  email: string
  display_name: string
  fields: Record<string, string>
  persona: Record<string, unknown> | null
  org: { name: string } & Record<string, unknown>
}
