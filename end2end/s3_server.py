"""An S3 server (moto) for tests, which verifies signatures and permissions.

    s3_server.py [PORT]

Prints, as one line of JSON, its port and the keys of those who may use it: `retour`, who may do what docs/files.md says,
`guest`, the same for a while and with a token, and `reader`, who may only read. There are two buckets, `my-returns` and
`with-versions`. After that it answers each line, the name of a bucket, with the names that are in it. Its keys are the same
each time it starts, what it keeps is not.
"""

import json
import logging
import pathlib
import re
import sys

import boto3
from moto import settings
from moto.core import DEFAULT_ACCOUNT_ID
from moto.moto_api._internal import mock_random
from moto.s3.models import s3_backends
from moto.server import ThreadedMotoServer

logging.getLogger("werkzeug").setLevel(logging.ERROR)
mock_random.seed(20)
server = ThreadedMotoServer("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0, verbose=False)
server.start()
port = server.get_host_and_port()[1]


def client(service):
    return boto3.client(
        service, region_name="us-east-1", endpoint_url=f"http://127.0.0.1:{port}",
        aws_access_key_id="nobody", aws_secret_access_key="nobody",
    )  # fmt: skip


s3, iam, sts = client("s3"), client("iam"), client("sts")
for bucket in ["my-returns", "with-versions"]:
    s3.create_bucket(Bucket=bucket)
s3.put_bucket_versioning(Bucket="with-versions", VersioningConfiguration={"Status": "Enabled"})

# The permissions that the documentation recommends to operators.
documentation = (pathlib.Path(__file__).parent.parent / "docs/files.md").read_text(encoding="utf-8")
documented = json.loads(re.search(r"```json\n(\{.*?\n\})\n```", documentation, re.S)[1])
documented["Statement"] += [{"Effect": "Allow", "Action": "s3:*", "Resource": "arn:aws:s3:::with-*"}]
reads = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}]}

keys = {}
for user, policy in [("retour", documented), ("reader", reads)]:
    iam.create_user(UserName=user)
    iam.put_user_policy(UserName=user, PolicyName="files", PolicyDocument=json.dumps(policy))
    key = iam.create_access_key(UserName=user)["AccessKey"]
    keys[user] = {"id": key["AccessKeyId"], "secret": key["SecretAccessKey"], "token": ""}

trust = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "sts:AssumeRole"}]}
role = iam.create_role(RoleName="guest", AssumeRolePolicyDocument=json.dumps(trust))["Role"]
iam.put_role_policy(RoleName="guest", PolicyName="files", PolicyDocument=json.dumps(documented))
key = sts.assume_role(RoleArn=role["Arn"], RoleSessionName="guest")["Credentials"]
keys["guest"] = {"id": key["AccessKeyId"], "secret": key["SecretAccessKey"], "token": key["SessionToken"]}

settings.INITIAL_NO_AUTH_ACTION_COUNT = 0  # from here on it asks everybody who they are
print(json.dumps({"port": port, "keys": keys}), flush=True)
for line in sys.stdin:  # until whoever started it is gone
    print(json.dumps(list(s3_backends[DEFAULT_ACCOUNT_ID]["aws"].buckets[line.strip()].keys)), flush=True)
