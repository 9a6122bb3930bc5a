/** The turn of a job that a test runs directly, without a worker's slots. */
export const outside = <Answer>(answer: Promise<Answer>): Promise<Answer> => answer
