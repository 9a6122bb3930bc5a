import type { Documentation, GuidePage } from './documentation.ts'

/** Returns the text of /llms.txt: one line for each page, for programs (https://llmstxt.org). */
export function llmsText({ groups }: Documentation): string {
  const line = ({ path, title, summary }: GuidePage) => `- [${title}](${path}.md): ${summary}`
  const parts = groups
    .filter(({ pages }) => pages.length > 0)
    // In this format, programs with little room skip the section "Optional".
    .map(
      ({ title, pages }) =>
        `## ${title === 'Decisions' ? 'Optional' : title}\n\n${pages.map(line).join('\n')}\n`,
    )
  return `# Crosswalk

> An open-source, self-hosted, multi-tenant sales and marketing data platform with a Developer API.

This server answers under \`/api/v1\`, with a bearer API key. AI hosts use the tools at \`/mcp\` (Model
Context Protocol). Each page is Markdown at the address below, and HTML without \`.md\`.

## API

- [openapi.json](/openapi.json): Every endpoint, as OpenAPI 3.1 with examples.

${parts.join('\n')}`
}
