/** A mail as the product writes it. `key` makes it once, however often it is handed over. */
export type Mail = { key: string; to: string; subject: string; body: string };

export type Mailer = { send(mail: Mail): Promise<void> };
