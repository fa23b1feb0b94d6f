/** What the API answers that refuses a request for now. */
export const REFUSAL = { status: 409, json: { success: false, error: 'Not at this moment', code: 'invalid_state' } };
