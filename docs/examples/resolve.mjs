// Pays approved requests: SECRET=whsec_… KEY=rtk_… node resolve.mjs
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks"; // npm install standardwebhooks

const { SECRET, KEY, API = "http://127.0.0.1:3000/api/v0", PORT = 8000 } = process.env;
const webhook = new Webhook(SECRET);

async function move(id, change) {
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  for (;;) {
    const answer = await fetch(`${API}/return-requests/${id}`, { method: "PATCH", headers, body: JSON.stringify(change) });
    if (answer.status !== 429) return answer;
    await sleep(1000 * answer.headers.get("retry-after")); // too many requests a minute: continue later
  }
}

async function resolve(id) {
  // Only one worker gets the request. Other workers, and duplicate events, get 409.
  const claim = await move(id, { fromStage: "Resolution: Approved", stage: "Resolution: Processing" });
  if (claim.status === 409) return console.log("not mine", id);
  if (!claim.ok) throw new Error(`claim: ${claim.status}`);
  const externalReference = await pay(await claim.json());
  const settled = await move(id, { fromStage: "Resolution: Processing", stage: "Resolution: Completed", externalReference });
  if (!settled.ok) throw new Error(`settle: ${settled.status}`);
}

async function pay({ id, purchaseOrderNumber, resolution }) {
  console.log("pay", resolution.value.value, resolution.value.currency, "for order", purchaseOrderNumber);
  return `refund-${id}`; // made of the request's id, so that your payment system recognizes a repetition
}

createServer(async (request, response) => {
  const chunks = [];
  let event;
  try {
    for await (const chunk of request) chunks.push(chunk);
    event = webhook.verify(Buffer.concat(chunks), request.headers);
  } catch {
    return response.writeHead(400).end(); // not from Retour, changed in transit, or older than five minutes
  }
  const done = event.type === "return_request.stage_changed" ? resolve(event.data.id) : Promise.resolve();
  const status = await done.then(() => 204, (error) => (console.error(error), 500)); // 500: Retour sends it again
  response.writeHead(status).end();
}).listen(PORT, "127.0.0.1");
