export const baseUrl = '/console/api'
