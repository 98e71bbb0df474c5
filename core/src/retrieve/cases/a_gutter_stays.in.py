     1	import os
     2	import sys
     3	
     4	
     5	def load(path):
     6	    with open(path) as f:
     7	        return f.read()
     8	
     9	
    10	@cached
    11	def parse_config(text, strict=False):
    12	    """Parses the configuration."""
    13	    out = {}
    14	    for line in text.splitlines():
    15	        key, _, value = line.partition('=')
    16	        if strict and not value:
    17	            raise ValueError(line)
    18	
    19	        out[key] = value
    20	    return out
    21	
    22	
    23	# Writes what parse_config reads.
    24	def dump(config):
    25	    return '\n'.join(f'{k}={v}' for k, v in config.items())
    26	
    27	
    28	class Worker:
    29	    limit = 5
    30	
    31	    def run(self):
    32	        for job in self.jobs:
    33	            job()
    34	
    35	
    36	if __name__ == '__main__':
    37	    Worker().run()
