/** As many accounts as a file may have: each is named when it is imported. */
export const maxStatementAccounts = 50;
