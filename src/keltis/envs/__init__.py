"""Environments for research: the simulator behind the interfaces that people already use.

    keltis.envs.vector              thousands of games at once, compiled
    keltis.envs.pettingzoo          PettingZoo
    keltis.envs.gymnasium           Gymnasium, one seat against bots
    keltis.envs.gymnasium_vector    the same as one of Gymnasium's vector environments
    keltis.envs.openspiel           OpenSpiel

Importing one of them loads its framework, which the extra `keltis[envs]` installs; importing this
loads none, and the vector environment needs none.
"""
