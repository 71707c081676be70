// Bulk operations.
export function bulkFile(shop, response, name) {
  const operation = shop.bulkOperations.find(({ number }) => `${number}.jsonl` === name);
  response.writeHead(operation ? 200 : 404, { 'content-type': 'application/jsonl' });
  response.end(operation?.lines ?? '');
}
