// Receives webhooks: SECRET=whsec_… node receiver.mjs
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks"; // npm install standardwebhooks

const webhook = new Webhook(process.env.SECRET);

createServer(async (request, response) => {
  const chunks = [];
  let event;
  try {
    for await (const chunk of request) chunks.push(chunk);
    event = webhook.verify(Buffer.concat(chunks), request.headers); // the raw bytes, not JSON that was written again
  } catch {
    return response.writeHead(400).end(); // not from Retour, changed in transit, or older than five minutes
  }
  console.log(event.id, event.type);
  response.writeHead(204).end();
}).listen(process.env.PORT ?? 8000, "127.0.0.1");
