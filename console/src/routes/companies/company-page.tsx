import { companies } from '../../records/kinds.ts'
import { RecordPage } from '../../records/record/page.tsx'

export const CompanyPage = () => <RecordPage kind={companies} />
